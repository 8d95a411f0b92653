#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests ecm on several processes from outside: ecm_mpi_test.sh <path of ecm> <mpiexec> <option for the number of processes>
# A job that is killed in the middle continues, with another number of processes, and runs each batch once.
mpiexec=$2
processes=$3
set -- "$1"
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_mpi_yield_when_idle=1

# 40 batches of 4 curves: some seconds of one core.
job=("(2^61-1)*(2^31-1)*(2^89-1)" --b1 100000 --sigma 42 --curves 160 --batch 4 --device cpu)
run() { # run <processes> <file> <command before the program>...
    "$mpiexec" "$processes" "$1" "${@:3}" "$program" "${job[@]}" --results "$2"
}
lines() { cat "$1".* 2> /dev/null | grep -c "divisor"; }

check "one process" run 1 alone > out.alone
check "all batches are done once" [ "$(lines alone)" = 40 ]
check "a divisor is found" grep -q "^divisor " out.alone

# One process is killed after the first lines; mpiexec then ends the job.
run 2 killed bash -c 'echo $$ > id.$$; exec "$@"' bash > out.killed 2>&1 &
job_id=$!
for ((i = 0; i < 3000; ++i)); do
    [ "$(lines killed)" -ge 3 ] && break
    sleep 0.02
done
ids=(id.*)
kill -KILL "$(cat "${ids[0]}")"
wait $job_id 2> /dev/null
check "the job ends with an error" [ $? != 0 ]
printf '7 b1 100000 a line that was not ended' >> killed.0
before=$(lines killed)
check "the job was killed in the middle" [ "$before" -lt 40 ]
check "continued by three processes" run 3 killed > out.killed
check "what was done is not done again" grep -q "^# $before of 40 batches were done before" out.killed
check "each batch once" [ "$(cat killed.* | grep divisor | sort -u | wc -l) $(lines killed)" = "40 40" ]
check "the same lines" cmp <(cat alone.* | grep sigma | sort) <(cat killed.* | grep sigma | sort)
check "the same divisors" cmp <(grep ^divisor out.alone) <(grep ^divisor out.killed)
check "nothing is left to do" run 2 killed > out.again
check "the same divisors again" cmp <(grep ^divisor out.alone) <(grep ^divisor out.again)
check "the line that was not ended is gone" [ "$(grep -c "not ended" killed.0)" = 0 ]
check "no such folder" [ "$(run 2 no/such > out 2>&1; echo $?)" != 0 ]
check "no such folder: the message" grep -q "cannot write no/such.[01]" out
check "without --sigma" [ "$("$program" 2^101-1 --results x > out 2>&1; echo $?)" = 2 ]
finish
