import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownMachineSettings } from '../../src/run/fleet.js'

const LOOPBACK = '/ip4/127.0.0.0/ipcidr/8,/ip6/::1/ipcidr/128'

describe('our server knows the machines of a run', () => {
  it('where there is one', () => {
    assert.deepEqual(ownMachineSettings(), { unlimitedFrom: LOOPBACK })
    assert.deepEqual(ownMachineSettings({ address: '127.0.0.1', peers: ['127.0.0.1'] }), {
      unlimitedFrom: LOOPBACK
    })
  })

  it('where they are network namespaces', () => {
    assert.deepEqual(ownMachineSettings(undefined, 'namespaces'), {
      unlimitedFrom: `${LOOPBACK},/ip4/10.0.0.0/ipcidr/8`
    })
  })

  it('where there are several, and listens to nobody else', () => {
    const all = `${LOOPBACK},/ip4/10.0.0.1/ipcidr/32,/ip4/10.0.0.2/ipcidr/32,/ip6/fd00::3/ipcidr/128`
    const peers = ['10.0.0.2', '127.0.0.1', 'fd00::3', '10.0.0.2']
    assert.deepEqual(ownMachineSettings({ address: '10.0.0.1', peers }), {
      unlimitedFrom: all,
      onlyFrom: all
    })
  })
})
