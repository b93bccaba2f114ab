"""Helper processes of our own: a zygote has a library loaded and forks one child for each job."""
