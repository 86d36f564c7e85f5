"""What a run leaves behind: the text of a failure, files on disk, the summary in the terminal."""
