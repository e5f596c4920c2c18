"""What a result says, in one record and one set of words for every reader."""
