sizes["nx"] = 3
