"""Truth from a file through the pipeline, once or many times."""
