#!/bin/sh
# third-party.sh SOURCE PACKAGE...: the terms of what comes with loci from others, in full; those of a linked library as the Debian
# package that it was built from states them.
set -eu
source=$1
shift

section() {
  echo "======================================================================"
  echo "$1"
  echo
  cat "$2"
  echo
}
section "panel/page/htm-preact.js: htm (Apache License 2.0), and in it preact (MIT)" "$source/panel/page/htm-preact.LICENSE"
section "tokens/data: the ranks of two encodings, from gpt-tokenizer and tiktoken (MIT)" "$source/tokens/data/LICENSE"
section "Linked into the program: headers of Boost (Boost Software License)" "$source/packaging/BSL-1.0"
for package in "$@"; do
  section "Linked into the program: $package $(dpkg-query -W -f '${Version}' "$package")" "/usr/share/doc/$package/copyright"
done
