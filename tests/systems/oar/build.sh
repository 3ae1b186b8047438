#!/bin/sh
# Make a small Debian with OAR in a folder, once, in about a minute: it needs root, debootstrap and a Debian mirror.
# tests/test_oar.py starts it, apart from this machine's processes, mounts and network.
#
#     sh tests/systems/oar/build.sh [FOLDER]

set -eu
folder=${1:-/var/tmp/mcts_cluster-oar}
# That of this machine, if it is a Debian.
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | head -1)}

[ -d "$folder/usr" ] || debootstrap --variant=minbase bookworm "$folder" $mirror
cp /etc/resolv.conf "$folder/etc/"
# Nothing is to be started while packages are installed.
printf '#!/bin/sh\nexit 101\n' > "$folder/usr/sbin/policy-rc.d"
chmod +x "$folder/usr/sbin/policy-rc.d"
chroot "$folder" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
  oar-server oar-server-pgsql oar-node oar-user oar-user-pgsql postgresql openssh-server openssh-client \
  sudo procps iproute2 python3
