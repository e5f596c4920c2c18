"""What `racing init` writes: the files of this folder."""
