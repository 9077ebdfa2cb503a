"""What measures of several families use."""
