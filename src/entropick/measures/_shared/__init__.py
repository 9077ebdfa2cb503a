"""Code shared by several families of measures."""
