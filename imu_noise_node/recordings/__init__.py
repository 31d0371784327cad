"""What a real or simulated IMU has recorded: readers of files, and a look at the stamps."""
