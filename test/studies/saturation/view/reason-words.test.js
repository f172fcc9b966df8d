import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limitWords, reasonWords } from '../../../../src/studies/saturation/view/reason-words.js'

describe('what saturated first, in words', () => {
  /** @type {[string, number | null, number | null, RegExp][]} */
  const limits = [
    ['generator', 12.3, null, /generator: it sent operations late, 1 % of them by more than 12\.3 ms$/],
    ['generator', null, null, /by more than 0 ms$/],
    ['generator', 95, 100, /generator: its event loop was 95 % busy$/],
    ['cpu', 97, 100, /97 % of one core, where one core may be used$/],
    ['machine', 390, 400, /together used 390 % of its 4\.00 cores$/],
    ['processes', 96, 100, /a process of nodes, .* event loop was 96 % busy$/],
    ['cores', 195, 200, /processes of the nodes used 195 % of its 2\.00 cores$/],
    ['publishedLate', 123, null, /1 % of the messages were published more than 123 ms late$/],
    ['memoryCeiling', 1, null, /^--memoryCeiling: 1 process reached it/],
    ['memoryCeiling', 3, null, /^--memoryCeiling: 3 processes reached it/],
    ['streams', 1234, null, /^streams of gossipsub: 1,234 were aborted/],
    ['upBandwidth', 88, 100, /what leaves the nodes in the model: 88 % used on average.*\(--upBandwidth\)$/],
    ['downBandwidth', 88, 100, /what reaches the nodes in the model: 88 % .*\(--downBandwidth\)$/],
    ['linkBandwidth', 88, 100, /the links in the model: 88 % .*\(--linkBandwidth\)$/],
    ['processing', 91, 100, /processing of the nodes in the model: 91 % of their time/],
    ['network', null, null, /^nothing that was watched: links or the mesh/],
    ['model', null, null, /^no line and no processing of the model/],
    ['unknown', null, null, /^nothing that was watched: the server waited/]
  ]
  for (const [limit, value, of, words] of limits)
    test(`${limit} with ${value} of ${of}`, () =>
      assert.match(limitWords(/** @type {any} */ ({ limit, value, of })), words))

  test('of what is not known in numbers says 0', () => {
    const said = (/** @type {string} */ limit) =>
      limitWords(/** @type {any} */ ({ limit, value: null, of: null }))
    for (const limit of ['maxInFlight', 'ports', 'memory', 'memoryCeiling', 'streams', 'upBandwidth'])
      assert.match(said(limit), /\b0 /, limit)
    for (const limit of ['added', 'publishedLate']) assert.match(said(limit), /\b0(\.0*)? ms/, limit)
    assert.match(said('cpu'), /: 0 % of one core, where 0(\.0*)? cores may be used$/)
  })
})

test('why a rate of messages was not carried, in words', () => {
  const reasons = /** @type {any} */ ([
    { code: 'NOT_CARRIED', why: [{ why: 'missing', value: 2 }] },
    { code: 'UNDER_WAY', count: 4321 }
  ])
  assert.equal(
    reasonWords({ reasons }),
    '2 deliveries missing; more and more deliveries were under way, 4,321 in the end'
  )
})
