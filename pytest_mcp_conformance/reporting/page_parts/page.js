"use strict";
(() => {
  const AT_ONCE = 200; // entries of a transcript that are made in one go
  const WIDE = "(min-width: 70rem)";
  const all = [...document.querySelectorAll("details.scenario")];
  const rows = [...document.querySelectorAll(".matrix tbody tr")];
  const form = document.querySelector("form.controls");
  const search = document.getElementById("search");
  const texts = new Map();

  // What can be found of a scenario: what it shows, without buttons and its transcript.
  function textOf(scenario) {
    if (!texts.has(scenario)) {
      const parts = scenario.querySelectorAll(":scope > summary, .purpose, .remark, .reason, .check, .decision dd > code, .again dd > code");
      texts.set(scenario, [...parts].map((part) => part.textContent).join(" ").toLowerCase());
    }
    return texts.get(scenario);
  }

  function checked(name) {
    return new Set([...form.querySelectorAll(`input[name="${name}"]:checked`)].map((box) => box.value));
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const states = checked("state");
    const revisions = checked("revision");
    let count = 0;
    for (const scenario of all) {
      const shown =
        (states.size === 0 || states.has(scenario.dataset.state)) &&
        (revisions.size === 0 || revisions.has(scenario.dataset.revision)) &&
        words.every((word) => textOf(scenario).includes(word));
      scenario.hidden = !shown;
      count += shown;
    }
    for (const row of rows) {
      const cells = [...row.querySelectorAll("a")];
      for (const cell of cells) {
        cell.classList.toggle("faded", document.getElementById(cell.hash.slice(1)).hidden);
      }
      row.hidden = cells.every((cell) => cell.classList.contains("faded"));
    }
    document.getElementById("count").textContent = `${count} of ${all.length} shown.`;
    document.getElementById("none").hidden = count > 0;
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function folded(title, value) {
    const details = element("details");
    details.append(element("summary", "", title), pre(value));
    return details;
  }

  function pre(value) {
    const made = element("pre", "", typeof value === "string" ? value : JSON.stringify(value, null, 2));
    made.tabIndex = 0;
    return made;
  }

  function titleOf(entry) {
    switch (entry.kind) {
      case "request": {
        const method = entry.body && typeof entry.body === "object" ? entry.body.method : undefined;
        return `→ ${entry.method} ${typeof method === "string" ? method : entry.url}`;
      }
      case "response":
        return `← HTTP ${entry.status}, answers ${entry.answers}`;
      case "body":
        return `← body, answers ${entry.answers}`;
      case "event":
        return `← event ${entry.event}, answers ${entry.answers}`;
      default:
        return String(entry.note);
    }
  }

  function entryElement(entry) {
    const made = element("div", `entry ${entry.from === "harness" ? "harness" : "implementation"}`);
    if (typeof entry.number === "number") made.dataset.entry = entry.number;
    const title = element("p", "", `${entry.number ?? ""} ${titleOf(entry)} `);
    if (typeof entry.ms === "number") title.append(element("span", "ms", `${entry.ms} ms`));
    made.append(title);
    if (entry.malformedOnPurpose) made.append(element("p", "ms", "wrong on purpose"));
    if (entry.kind === "request") made.append(element("code", "", entry.url));
    if (entry.headers) made.append(folded("headers", entry.headers));
    const content = entry.kind === "event" ? entry.data : entry.body;
    if (content !== undefined && content !== null) made.append(pre(content));
    return made;
  }

  // A transcript is made when it is first opened, and of a long one the start.
  function fill(transcript, until = 0) {
    if (!transcript.filled) {
      const data = document.getElementById(`t${transcript.dataset.scenario}`);
      const entries = JSON.parse(data.textContent);
      const list = element("div");
      const more = element("button");
      more.type = "button";
      let next = 0;
      transcript.more = (number) => {
        const end = Math.max(next + AT_ONCE, number + 1);
        list.append(...entries.slice(next, end).map(entryElement));
        next = Math.min(end, entries.length);
        more.textContent = `Show more (${entries.length - next} left)`;
        more.hidden = next === entries.length;
      };
      more.addEventListener("click", () => transcript.more(0));
      transcript.append(list, more);
      transcript.filled = true;
      transcript.more(until);
      if (entries.length === 0) list.append(element("p", "", "Nothing was sent."));
    }
    if (!transcript.querySelector(`[data-entry="${until}"]`)) transcript.more(until);
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.("details.transcript[open]")) fill(event.target);
  }, true);

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    if (button?.matches(".jump")) {
      const transcript = document.querySelector(`details.transcript[data-scenario="${button.dataset.scenario}"]`);
      const number = Number(button.dataset.entry);
      fill(transcript, number);
      transcript.open = true;
      for (const marked of transcript.querySelectorAll(".decided")) marked.classList.remove("decided");
      const entry = transcript.querySelector(`[data-entry="${number}"]`);
      entry?.classList.add("decided");
      entry?.scrollIntoView({ block: "center" });
    } else if (button?.matches(".copy")) {
      copy(button);
    }
  });

  async function copy(button) {
    const code = button.parentElement.querySelector(".copied");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code); // not allowed here: ready for the keyboard
      button.textContent = "Selected";
    }
  }

  // A link of the matrix opens what it leads to, also where a filter hides it.
  function follow() {
    const scenario = /^#s\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!scenario) return;
    scenario.hidden = false;
    scenario.open = true;
    scenario.scrollIntoView();
    scenario.querySelector("summary").focus({ preventScroll: true });
  }

  form.hidden = false;
  for (const button of document.querySelectorAll("button[hidden]")) button.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", follow);
  const overview = document.getElementById("overview");
  overview.open = matchMedia(WIDE).matches || rows.length <= 10;
  filter();
  if (all.length === 1) all[0].open = true;
  new ResizeObserver(() => {
    const sticky = getComputedStyle(form).position === "sticky";
    document.documentElement.style.setProperty("--controls", `${sticky ? form.offsetHeight + 8 : 8}px`);
  }).observe(form);
  follow();
})();
