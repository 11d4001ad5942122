#!/bin/sh
# names-in-md5sums.sh PACKAGE: the sums of a package's files, by the names that they have when it is installed. CPack names debug
# symbols by the folder that they were made in, which is on no other machine, and `dpkg --verify` finds none of them.
set -eu
umask 022
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dpkg-deb -R "$1" "$folder/root"
cd "$folder/root"
find . -path ./DEBIAN -prune -o -type f -print | sed 's|^\./||' | LC_ALL=C sort | xargs -d '\n' md5sum > DEBIAN/md5sums
cd - > /dev/null
dpkg-deb --root-owner-group -b "$folder/root" "$folder/package" > /dev/null
cp "$folder/package" "$1"
