// Figures beside their targets: `npm run bench` for what the server costs, about two minutes; `npm run bench memory` for one of
// them. What a comparison finds is asked for by name: `npm run bench injectedDelay`, 400 short runs, about 18
// minutes, and `npm run bench -- falseAlarms --keep`, 20 comparisons of real runs with themselves, 400 runs of 5 s of each scenario, in
// all about two hours; --only gossip for one of them, --piece 150 to begin no run after 150 s: the next call goes on. BENCH_REPEATS=2
// gives a look at them. Gossip networks too: `npm run bench ownShare
// gossipCpu`, 3 and 12 runs of about a minute; BENCH_REPEATS=1 for a look. Simulated ones: `npm run bench simulatedDelivery
// simulatedNetworks`, 18 runs of half a minute, and three that take half an hour in all. `npm run bench
// start`, 10 s, is what --version and --help cost. `npm run bench -- abuse --keep`, about an hour, is what hostile peers cost an honest
// client; --only 'frames*' for a part of it, --pairs 2 --seconds 3 --settle 0 for a look; --keep writes results/reference/abuse.{json,md},
// with --piece 4 in pieces: each call adds 4 pairs at most to those kept of an abuse, in less than 3 minutes, until there are --pairs.
// `npm run bench -- against <commit>` holds this checkout against another one, 8 pairs of runs of each load in turns, about an hour and its
// npm ci: ratios with 95 % intervals. --only 'DISCOVER at*', 6 minutes, for some loads. It is how claims of speed are made.
// `npm run bench -- growth --keep`, half an hour: how costs grow; points that are kept are not measured again, --only '*over clients' for some.
// `npm run bench -- splitSimulation --pairs 5 --keep`, an hour: simulated networks in two processes beside one; --only '95 nodes' for one of them.
// `npm run bench -- namespaceTransfers --keep`, 12 rows, about 8 minutes: real TCP over lossy links of namespaces; rows that are kept are not
// measured again, --only '1%,*' for some. `npm run bench -- routerCapacity --keep`, about a minute, is what the router between them carries;
// `npm run bench -- congestionControls --keep`, about 5 minutes, what others that may be taken here carry beside Reno.
// `npm run bench -- doubt --keep`, 100 runs, 12 minutes: whether p99 is marked when the load generator is late; --only 0 for one row.
// `npm run bench -- defaults --keep`, about 5 minutes: what each command's defaults take of this machine; --only perf for one row.
// `npm run bench hiccups`, 10 s: what looking for hiccups takes of a core.
// `npm run bench -- independent --keep`, 8 pairs of 10 s: our response times beside those of a Rust client at the same server.
// `npm run bench -- storeFloor --keep`, about 40 minutes: three servers on one PostgreSQL with 1,000,000 registrations beside the bare
// statements and a server with its registrations in memory, in turns; BENCH_REGISTRATIONS=10000 for a look.
// `npm run bench -- storeRestart --keep`, a minute: until a server that was killed serves 100,000 registrations of its folder again.
// `npm run bench -- storeExpiry --keep`, 10 s: what removing 100,000 registrations takes that expire at once.
// --awake keeps the cores from sleeping meanwhile, which steadies times on a virtual machine.
// `npm run bench -- fleet --keep`, about 4 minutes: what load over 3 agents costs the process that makes the run, and the bus; --only 'rendezvous*'
// for some rows, --only starts for how far apart agents begin.
// `npm run bench -- clocks --keep`, about 6 minutes: the clocks of agents beside ones that are off by a known time.
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { abuse } from './abuse.js'
import { against } from './against.js'
import { clocks } from './clocks.js'
import { congestionControls } from './congestion-controls.js'
import { defaults } from './defaults.js'
import { doubt } from './doubt.js'
import { falseAlarms } from './false-alarms.js'
import { fleet } from './fleet.js'
import { gossipCpu } from './gossip-cpu.js'
import { growth } from './growth.js'
import { hiccups } from './hiccups.js'
import { independent } from './independent.js'
import { injectedDelay } from './injected-delay.js'
import { memory } from './memory.js'
import { namespaceTransfers } from './namespace-transfers.js'
import { operations } from './operations.js'
import { ownShare } from './own-share.js'
import { NoCommitError } from './parts/checkout.js'
import { keepAwake } from './parts/quiet-machine.js'
import { verificationMicros } from './parts/verification.js'
import { routerCapacity } from './router-capacity.js'
import { simulatedDelivery } from './simulated-delivery.js'
import { simulatedNetworks } from './simulated-networks.js'
import { splitSimulation } from './split-simulation.js'
import { start } from './start.js'
import { storeExpiry } from './store-expiry.js'
import { storeFloor } from './store-floor.js'
import { storeRestart } from './store-restart.js'
import { storeSize } from './store-size.js'

/** @type {Record<string, (options: any) => Promise<{ title: string, head: string[], rows: string[][] }>>} */
const figures = {
  ...{ memory, storeSize, operations, falseAlarms, injectedDelay, ownShare, gossipCpu },
  ...{
    simulatedDelivery,
    simulatedNetworks,
    start,
    abuse,
    against,
    doubt,
    defaults,
    independent,
    hiccups,
    namespaceTransfers,
    routerCapacity,
    congestionControls,
    storeExpiry,
    storeFloor,
    storeRestart,
    fleet,
    growth,
    splitSimulation,
    clocks
  }
}

// what was started ends with it
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

/** What is measured when nothing is named. */
const USUAL = ['memory', 'storeSize', 'operations']

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '8' },
    piece: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '10' },
    settle: { type: 'string', default: '60' },
    only: { type: 'string', default: '*' },
    keep: { type: 'boolean', default: false },
    awake: { type: 'boolean', default: false }
  }
})
const [pairs, piece, seconds, settle] = [values.pairs, values.piece, values.seconds, values.settle].map(
  Number
)
const least = (/** @type {string} */ name) => (name === 'settle' || name === 'piece' ? 0 : 1)
const wrong = Object.entries({ pairs, piece, seconds, settle }).find(
  ([name, number]) => !(number >= least(name) && number <= 3600)
)
if (wrong !== undefined) {
  console.error(`--${wrong[0]} ${wrong[1]} must be a number from ${least(wrong[0])} to 3600`)
  process.exit(2)
}
// behind `against` stands a commit
const place = asked.indexOf('against')
const [commit] = place < 0 ? [] : asked.splice(place + 1, 1)
if (place >= 0 && commit === undefined) {
  console.error('against must name a commit, as in npm run bench -- against 61268f3')
  process.exit(2)
}
/** @param {string} name */
async function measure(name) {
  try {
    return await figures[name]({ ...values, commit, pairs, piece, seconds, settle })
  } catch (error) {
    if (!(error instanceof NoCommitError)) throw error
    console.error(error.message)
    return process.exit(2)
  }
}
const strange = asked.filter(name => !Object.hasOwn(figures, name))
if (strange.length > 0) {
  console.error(`no figure is called ${strange.join(', ')}: choose from ${Object.keys(figures).join(', ')}`)
  process.exit(2)
}

const letSleep = values.awake ? keepAwake() : () => {}
console.log(
  `Node ${process.versions.node}, one Ed25519 verification takes ${verificationMicros().toFixed(0)} µs\n`
)
for (const name of asked.length > 0 ? asked : USUAL) {
  const { title, head, rows } = await measure(name)
  console.log(
    `${title}\n\n${markdownTable([head, ...rows], { align: ['l', ...head.slice(1).map(() => 'r')] })}\n`
  )
}
letSleep()
