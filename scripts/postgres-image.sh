#!/usr/bin/env bash
# Makes an image with the PostgreSQL of this machine, where no image registry can be reached: its programs, what they are linked to, and a
# shell. `--store postgres` takes it where the machine itself has no PostgreSQL; tests of that make it so.
set -euo pipefail
image=${1:-libp2p-loadtest-postgres:latest}

initdb=$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)
bin=$(dirname "$(readlink -f "$initdb")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# copied takes files to where they are here
copied() {
  for path; do
    mkdir -p "$tree$(dirname "$path")"
    cp -rL "$path" "$tree$path"
  done
}

# compiled queries, which our servers switch off, would need all of LLVM
libraries=$("$bin/pg_config" --pkglibdir)
mapfile -t modules < <(ls "$libraries"/{plpgsql,dict_snowball,*_and_*}.so)
copied "$bin"/{initdb,postgres} "${modules[@]}" "$("$bin/pg_config" --sharedir)" /usr/share/zoneinfo/Etc/UTC
mkdir -p "$tree/bin" "$tree/etc" "$tree/tmp" "$tree/var/lib/postgresql"
cp -L /bin/sh "$tree/bin/sh"
mapfile -t linked < <(ldd /bin/sh "$bin"/{initdb,postgres} "${modules[@]}" | grep -oE '(=> |^\s)/[^ ]+' | grep -oE '/.*' | sort -u)
copied "${linked[@]}"

echo 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' > "$tree/etc/passwd"
echo 'postgres:x:999:' > "$tree/etc/group"
chmod 1777 "$tree/tmp" "$tree/var/lib/postgresql"
tar -C "$tree" --owner=0 --group=0 -c . | docker import -c "ENV PATH=$bin:/bin" - "$image" > /dev/null
echo "$image: $("$bin/postgres" --version)"
