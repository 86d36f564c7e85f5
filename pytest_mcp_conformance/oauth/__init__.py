"""What a client that needs a token talks to: an authorization server and a protected resource, as one model.

Both do as frozen data tells them (`server_setup`, `metadata`), check each rule in one place (`pkce`, `redirect_uris`, `scopes`,
`resources`, `client_authentication`), put what they are asked into one log (`events`), and share the tokens that were issued
(`tokens`). Nothing that a client names is ever fetched, and nothing that a client sends raises.
"""
