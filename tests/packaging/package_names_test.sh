#!/bin/sh
# package_names_test.sh SOURCE BUILD: an archive's name says for which machine it is, and a package names its files as they are
# installed.
set -eu
grep -q "CPACK_PACKAGE_FILE_NAME \"loci-[0-9.]*-linux-$(uname -m)\"" "$2/CPackConfig.cmake" || {
  echo "the tar.gz is not named by the machine: $(grep 'CPACK_PACKAGE_FILE_NAME ' "$2/CPackConfig.cmake")" >&2
  exit 1
}

command -v dpkg-deb > /dev/null || { echo "skipped: no dpkg-deb"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
umask 022
mkdir -p "$folder/root/DEBIAN" "$folder/root/usr/lib/debug/.build-id/1a"
echo symbols > "$folder/root/usr/lib/debug/.build-id/1a/2b.debug"
(cd "$folder" && md5sum "$folder/root/usr/lib/debug/.build-id/1a/2b.debug" > root/DEBIAN/md5sums)
printf 'Package: loci-dbgsym\nVersion: 1\nArchitecture: all\nMaintainer: a <a@localhost>\nDescription: symbols\n' > "$folder/root/DEBIAN/control"
dpkg-deb --root-owner-group -b "$folder/root" "$folder/loci-dbgsym.ddeb" > /dev/null
cmake -DCPACK_PACKAGE_FILES="$folder/loci-dbgsym.ddeb" -P "$1/packaging/mend_packages.cmake"
dpkg-deb -R "$folder/loci-dbgsym.ddeb" "$folder/mended"
(cd "$folder/mended" && ! grep -v '  usr/' DEBIAN/md5sums && md5sum --quiet -c DEBIAN/md5sums)
test "$(wc -l < "$folder/mended/DEBIAN/md5sums")" = 1
dpkg-deb -c "$folder/loci-dbgsym.ddeb" | grep -q 'root/root .* ./usr/lib/debug/.build-id/1a/2b.debug'
echo "all names are as they should be"
