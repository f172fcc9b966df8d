import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Namespaces } from '../../src/load/registrations.js'

describe('the namespaces of a run', () => {
  it('are called after it', () => {
    const { planned, extra, inexistent } = new Namespaces('20261120-0712-rendezvous-7')
    assert.equal(planned(0), 'loadtest-20261120-0712-rendezvous-7-0')
    assert.equal(extra(2), 'loadtest-20261120-0712-rendezvous-7-extra-2')
    assert.equal(inexistent(3), 'loadtest-20261120-0712-rendezvous-7-inexistent-3')
  })

  it('are all different, and other ones in another run', () => {
    const names = ['7', '8', 'run'].flatMap(runId => {
      const { planned, extra, inexistent } = new Namespaces(runId)
      return Array.from({ length: 200 }, (_, i) => [planned(i), extra(i), inexistent(i)]).flat()
    })
    assert.equal(new Set(names).size, names.length)
  })

  it('are short enough for every server', () => {
    const longest = new Namespaces('20261120-0712-rendezvous-9007199254740991').inexistent(1_000_000)
    assert.ok(Buffer.byteLength(longest) <= 255)
  })
})
