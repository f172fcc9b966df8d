#!/usr/bin/env bash
# Makes a base image for the server from the Node of this machine, where no image registry can be reached: the program and the
# libraries it is linked to, nothing else, not even a shell. `node index.js image` takes it when it is there.
set -euo pipefail
image=${1:-libp2p-loadtest-node:latest}

node=$(node -p process.execPath)
version=$(node -p process.versions.node)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree/usr/bin"
cp -L "$node" "$tree/usr/bin/node"
for library in $(ldd "$node" | grep -oE '/[^ ]+'); do
  mkdir -p "$tree$(dirname "$library")"
  cp -L "$library" "$tree$library"
done

tar -C "$tree" -c . | docker import -c 'ENV PATH=/usr/bin' -c "ENV NODE_VERSION=$version" -c 'WORKDIR /app' - "$image" >/dev/null
echo "$image: Node $version"
