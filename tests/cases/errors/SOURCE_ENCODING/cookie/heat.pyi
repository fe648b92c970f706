# -*- coding: latin-1 -*-
