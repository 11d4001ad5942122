// A vault and its index, opened: everything that a person or an agent does to a memory. The command line, and later the daemon,
// are thin layers over this. Every operation leaves the index up to date with the files it wrote.
#pragma once
