"""The ground floor, which every part of the package may import."""
