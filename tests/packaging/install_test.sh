#!/bin/sh
# install_test.sh CMAKE BUILD: what `cmake --install` lays down is all there, readable by everybody, and works from where it lies.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --install "$2" --prefix "$folder/usr" --strip > "$folder/said"

(cd "$folder/usr" && find . -type f | sort) > "$folder/found"
cat > "$folder/expected" <<'END'
./bin/loci
./lib/systemd/user/loci@.service
./share/bash-completion/completions/loci
./share/doc/loci/NEWS.gz
./share/doc/loci/changelog.gz
./share/doc/loci/copyright
./share/doc/loci/guide.md
./share/doc/loci/third-party.gz
./share/fish/vendor_completions.d/loci.fish
./share/man/man1/loci.1.gz
./share/zsh/vendor-completions/_loci
END
diff "$folder/expected" "$folder/found"
test -z "$(find "$folder/usr" -type f ! -perm -444)" || { echo "not everybody may read all of it" >&2; exit 1; }

HOME=$folder/home
export HOME
mkdir "$HOME"
"$folder/usr/bin/loci" init "$folder/memory" > /dev/null
"$folder/usr/bin/loci" --vault "$folder/memory" add "The heron stands in the pond." > /dev/null
"$folder/usr/bin/loci" --vault "$folder/memory" search heron | grep -q "stands in the pond"

! grep -n '@' "$folder/usr/lib/systemd/user/loci@.service" | grep -v '^[0-9]*:#'
for library in Boost cmark-gfm SQLite OpenSSL preact tiktoken; do
  gunzip -c "$folder/usr/share/doc/loci/third-party.gz" | grep -qi "$library" || { echo "the terms of $library are missing" >&2; exit 1; }
done
echo "all there"
