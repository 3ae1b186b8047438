#!/bin/bash
# The first process of the small Debian that build.sh has made: a database, OAR's server, and nodes n1, n2 ... with
# some cores each, which are addresses of this one machine.
#
#     start.sh NODES CORES

set -u
nodes=$1 cores=$2
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
cd /

# The machine and its nodes. The user goes from one to the other by ssh: OAR's own way needs control groups.
hostname oarhost
ip link set lo up
echo '127.0.0.1 localhost oarhost' > /etc/hosts
for node in $(seq "$nodes"); do
  ip address add "127.0.1.$node/8" dev lo
  echo "127.0.1.$node n$node" >> /etc/hosts
done
id alice 2>/dev/null || useradd --create-home --shell /bin/bash alice
usermod --password '*' alice
# The folder of the test has made it, before there was a user.
chown alice: /home/alice
if [ ! -e /home/alice/.ssh/config ]; then
  su alice -c 'rm -rf ~/.ssh && mkdir -m 700 ~/.ssh && ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519 &&
    cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys &&
    printf "Host *\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n" > ~/.ssh/config'
fi
printf '#!/bin/sh\nexec ssh "$@"\n' > /usr/local/bin/oarsh
chmod +x /usr/local/bin/oarsh
mkdir -p /run/sshd /run/oar
ssh-keygen -A
/usr/sbin/sshd -o UsePAM=no
/usr/sbin/sshd -f /etc/oar/sshd_config

# OAR, with a new database each time.
conf=/etc/oar/oar.conf
if ! grep -q '^# tests' "$conf"; then
  sed -i -e 's/^DB_BASE_PASSWD=.*/DB_BASE_PASSWD="oar"/' -e 's/^DB_BASE_PASSWD_RO=.*/DB_BASE_PASSWD_RO="oar_ro"/' \
    -e 's/^SERVER_HOSTNAME=.*/SERVER_HOSTNAME="127.0.0.1"/' -e 's/^JOB_RESOURCE_MANAGER_PROPERTY_DB_FIELD/#&/' \
    -e 's/^SCHEDULER_JOB_SECURITY_TIME=.*/SCHEDULER_JOB_SECURITY_TIME="1"/' \
    -e 's/^FINAUD_FREQUENCY=.*/FINAUD_FREQUENCY="0"/' -e '/^PINGCHECKER_/d' "$conf"
  echo '# tests' >> "$conf"
  echo 'PINGCHECKER_SENTINELLE_SCRIPT_COMMAND="/usr/lib/oar/sentinelle.pl -t 5 -w 20"' >> "$conf"
fi
chown oar:root "$conf"
chown oar:oar /run/oar
chown -R oar:oar /var/lib/oar
touch /var/log/oar.log && chown oar /var/log/oar.log
rm -f /run/oar-server.pid /run/postgresql/*.pid /var/lib/postgresql/*/main/postmaster.pid
version=$(ls /etc/postgresql)
pg_ctlcluster "$version" main start
su postgres -c 'dropdb --if-exists oar; dropuser --if-exists oar; dropuser --if-exists oar_ro'
oar-database --create --db-is-local --db-admin-user postgres < /dev/null
oarproperty --char --add host
oarproperty --add cpu
oarproperty --add core
# On a busy machine it now and then finds no database, and ends.
until (echo > /dev/tcp/127.0.0.1/6666) 2>/dev/null; do
  if [ -z "$(jobs -r)" ]; then su oar -s /bin/bash -c /usr/sbin/oar-server & fi
  sleep 0.5
done
core=0
for node in $(seq "$nodes"); do
  for _ in $(seq "$cores"); do
    core=$((core + 1))
    oarnodesetting --add --hostname "n$node" -p host="n$node" -p cpu="$node" -p core="$core"
  done
done

touch /run/ready
while :; do sleep 3600 & wait $!; done
