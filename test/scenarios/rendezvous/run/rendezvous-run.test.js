import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RunLog } from '../../../../src/run/run-header.js'
import { RunDocument } from '../../../../src/scenarios/rendezvous/run/rendezvous-run.js'
import { planned } from '../../../plan/planned.js'

/** @param {string} code */
const trouble = code => Object.assign(new Error(`${code} happened`), { code })

test('the document of a run is partial again when clearing up fails', () => {
  const run = new RunDocument(planned({}), 'a-run', new RunLog(() => {}))
  run.header.completed()
  assert.deepEqual([run.result().status, run.result().reason], ['complete', null])
  run.header.failed(trouble('CONTAINER_NOT_REMOVED'))
  assert.deepEqual([run.result().status, run.result().reason?.code], ['partial', 'CONTAINER_NOT_REMOVED'])
})

describe('a server that was not sampled', () => {
  const address = '/ip4/127.0.0.1/tcp/9000/p2p/12D3KooWGbd2rYd7nC95CFNg2pwLF1PjxqAjTLpjNG5TLUX1CwZa'
  /** @param {Record<string, unknown>} options */
  const codes = options => {
    const run = new RunDocument(planned(options), 'a-run', new RunLog(() => {}))
    return run.result().run.warnings.map(({ code }) => code)
  }

  test('is advised to be named where it is the user’s', () =>
    assert.ok(codes({ target: address }).includes('SERVER_NOT_SAMPLED')))

  test('is not where it is ours, or was named', () => {
    assert.ok(!codes({}).includes('SERVER_NOT_SAMPLED'))
    assert.ok(!codes({ target: address, targetPid: String(process.pid) }).includes('SERVER_NOT_SAMPLED'))
  })
})

describe('what was changed on the defaults of libraries', () => {
  const silent = { logger: { value: 'silent', why: 'nothing reads it' } }
  /** @param {object} [target] - none: there was none yet */
  const settingsOf = target => {
    const run = new RunDocument(planned({}), 'a-run', new RunLog(() => {}))
    if (target !== undefined)
      run.target = /** @type {any} */ ({ kind: 'process', multiaddr: '/ip4/127.0.0.1/tcp/8000', ...target })
    run.clientSettings = silent
    return /** @type {any} */ (run.result().outcome.target.settings)
  }

  test('is what the node of our own server said, beside the options it was started with', () => {
    const { server, clients } = settingsOf({ settings: { maxStreams: 1000 }, nodeSettings: silent })
    assert.deepEqual([server, clients], [{ maxStreams: 1000, ...silent }, silent])
  })

  test('is not known of a server of others, nor where there is none yet', () => {
    assert.deepEqual(settingsOf({ kind: 'address', settings: {}, nodeSettings: {} }).server, {})
    assert.deepEqual(settingsOf().server, {})
  })
})
