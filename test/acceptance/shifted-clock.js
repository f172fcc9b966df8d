// preloaded into an agent and its workers: a machine that started 200 ms earlier
const { bigint } = process.hrtime
process.hrtime.bigint = () => bigint() + 200_000_000n
