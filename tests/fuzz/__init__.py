"""Long fuzzing of what reads text that people write: expressions, files of other
programs, and logs.

    python -m tests.fuzz [--minutes 3] [--seed 1] [--only NAME]

texts.py      texts: words of each language, sound files with damage, anything at all
subjects.py   what reads them, and what it may do: give a result, or a clear error
__main__.py   runs until the time is up, and says what that covered
"""
