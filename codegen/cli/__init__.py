"""What the user types and sees. Everything else takes values and gives values back."""
