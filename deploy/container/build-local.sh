#!/usr/bin/env bash
# Builds and tries the image where no registry can be reached: build-local.sh PROGRAM. The base is made from Debian's packages
# with mmdebstrap, and the program of `make package` takes the place of the first stage. Needs root, buildah and mmdebstrap.
set -euo pipefail
cd "$(dirname "$0")/../.."

program=$(realpath "$1")
image=localhost/score-server
work=$(mktemp -d /var/tmp/score-image-XXXXXX)
trap 'rm -r -- "$work"' EXIT

if ! buildah inspect localhost/debian:bookworm >/dev/null 2>&1; then
    mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/debian.tar"
    base=$(buildah from scratch)
    buildah add --quiet "$base" "$work/debian.tar" / >/dev/null
    buildah commit --quiet --rm "$base" localhost/debian:bookworm >/dev/null
fi

mkdir "$work/stage"
cp "$program" "$work/stage/program"
buildah bud --quiet --isolation chroot --network host --build-arg DEBIAN_IMAGE=localhost/debian:bookworm \
    --build-context build="$work/stage" -f deploy/container/Containerfile -t "$image" .
buildah inspect --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}' "$image"

# The command runs as the user of the image, without capabilities.
container=$(buildah from "$image")
trap 'buildah rm "$container" >/dev/null; rm -r -- "$work"' EXIT
buildah run --isolation chroot --cap-drop ALL "$container" -- /usr/bin/entry --version
buildah run --isolation chroot --cap-drop ALL "$container" -- sh -c 'id -u; ! touch /usr/bin/other 2>/dev/null; ldd /usr/bin/entry' |
    tee "$work/seen"
grep -qx 10001 "$work/seen"
if grep -q 'not found' "$work/seen"; then
    echo "$image lacks a library of the program" >&2
    exit 1
fi
echo "Built and tried $image ($(buildah images --format '{{.Size}}' "$image"))"
