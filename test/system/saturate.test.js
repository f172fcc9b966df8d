import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { call, documentIn, newFolder } from '../acceptance/loadtest.js'

/** No p99, which would need 1,000 operations. */
const SHORT = ['--warmup', '100ms', '--initialRegistrations', '10', '--slo', 'avg < 5s']
const OWN_SERVER = ['--server', 'process']

/** Many short runs. */
const TIMEOUT = { timeout: 900_000 }
const MANY = { hangsAfterMs: 850_000 }

/** Replies that take so long, to so many at once: 20 a second, surely. */
const SLOW = { env: { RENDEZVOUS_REPLY_DELAY: '200ms' } }
const FEW_AT_ONCE = ['--maxInFlight', '4']

// one after the other: they share a server and a worker
describe('saturate', TIMEOUT, () => {
  test('a search finds where a load surely saturates, and that it is no figure of the server', async () => {
    const outputDir = await newFolder()
    // one server for all trials
    const { multiaddr } = await startForeignServer([], { ...SLOW, ...MANY })
    const how = ['--connections', '1', '--from', '12', '--most', '24', '--duration', '2s', '--blocks', '0']
    const args = ['saturate', 'rendezvous', '--search', ...FEW_AT_ONCE, ...how, ...SHORT]
    const { code, stdout, stderr } = await call([
      ...[...args, '--target', multiaddr],
      ...['--outputDir', outputDir]
    ])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^⚠ Generator-bound: /m)
    assert.match(stdout, /^(Sustainable rate: at least|Not even) \d+\.?\d*\/s/m)
    const { document } = await documentIn(outputDir, 'saturate.json')
    const { below, above, generatorBound } = document.search.found
    assert.equal(generatorBound, true)
    assert.match(stdout, /load generator \(100 % of --maxInFlight 4/)
    assert.ok((below?.perSecond ?? 0) <= 22 && above.perSecond <= 24, stdout)
  })

  test('says how many servers a small network needs, a connection for each request', async () => {
    const outputDir = await newFolder()
    const network = ['--peers', '5000', '--requestsPerDay', '80', '--ttl', '1m']
    const short = [...'--from 20/s --most 20/s --blocks 0 --duration 2s --slo'.split(' '), 'avg < 5s']
    const args = ['saturate', 'rendezvous', ...network, ...short, ...OWN_SERVER, '--outputDir', outputDir]
    const { code, stderr, stdout } = await call(args)
    assert.equal(code, 0, stderr)
    const { folder, document } = await documentIn(outputDir, 'saturate.json')
    for (const said of [
      /^\| Peers +\| 5000 +\|$/m,
      /^\| Requests\/s on average +\| 4\.63 +\|$/m,
      /^\| Requests\/s in the busiest hour \(× 2\) +\| 9\.259 +\|$/m,
      /^\| Registrations held \(TTL 60 s\) +\| 556 +\|$/m,
      /^\| Registrations of the server measured +\| 556 +\|$/m
    ])
      assert.match(stdout, said)
    const [trial] = document.search.trials
    const run = JSON.parse(await readFile(join(folder, trial.run, 'result.json'), 'utf8'))
    assert.equal(run.outcome.registrations.before, 556)
    assert.ok(run.outcome.operations.CONNECT.count > 0, 'each request connects')
  })
})
