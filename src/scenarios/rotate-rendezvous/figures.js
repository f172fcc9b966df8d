import { chosen, none, times } from '../../measure/figure.js'
import { OPERATION_FIGURES } from '../rendezvous/figures.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<Outcome>} Figure
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('./rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 * @typedef {import('./rotate-rendezvous-types.js').RotateRendezvousResult['outcome']} Outcome
 */

/** A share of fewer records is chance. */
const LIVE_RECORDS = 100

/** @param {string} name @param {string} title @param {'withDuplicates' | 'withoutDuplicates'} which @returns {Figure} */
const staleShare = (name, title, which) => ({
  name,
  title,
  quantity: 'share',
  better: 'lower',
  live: LIVE_RECORDS,
  read({ rotation }) {
    const { records, stale } = rotation?.discovered[which] ?? { records: 0, stale: 0 }
    return records === 0
      ? none('no record was discovered')
      : { value: (100 * stale) / records, samples: records }
  }
})

/**
 * @param {string} name
 * @param {string} title
 * @param {string} who - makes it a lower bound
 * @param {(rotation: RotateRendezvous) => Summary} of
 */
const timesOf = (name, title, who, of) =>
  times({
    name,
    title,
    summary: (/** @type {Outcome} */ { rotation }) => rotation && of(rotation),
    words: {
      nothing: 'no new peer came to it',
      atLeast: `at least this: ${who} reach into it`
    }
  })

/** ROTATE_RENDEZVOUS_FIGURES are those of rotating peers of a rendezvous server, beside those of its operations. @type {readonly Figure[]} */
export const ROTATE_RENDEZVOUS_FIGURES = [
  staleShare('staleShare', 'Stale records', 'withDuplicates'),
  staleShare('staleShare.withoutDuplicates', 'Stale records, each once', 'withoutDuplicates'),
  {
    name: 'overdue',
    title: 'Overdue registrations',
    quantity: 'number',
    better: 'lower',
    live: 0,
    grows: true,
    read: (/** @type {Outcome} */ { rotation }) =>
      rotation == null ? none('nothing was measured') : { value: rotation.left.overdue, samples: 1 }
  },
  ...timesOf(
    'visibleDelay',
    'Registered → visible',
    'registrations that nobody saw',
    ({ visible }) => visible.delay.all
  ),
  ...timesOf(
    'firstDiscovery',
    'First discovery',
    'peers that discovered nobody',
    ({ firstDiscovery }) => firstDiscovery
  ),
  ...OPERATION_FIGURES
]

/** ROTATE_RENDEZVOUS_COMPARED is what comparisons of such runs go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const ROTATE_RENDEZVOUS_COMPARED = {
  figures: chosen(ROTATE_RENDEZVOUS_FIGURES, [
    ...['staleShare', 'visibleDelay.p50', 'firstDiscovery.p50', 'DISCOVER.p50', 'DISCOVER.p99']
  ]),
  same: {},
  example: '"visibleDelay.p50 > +10%" or "staleShare > +5%"',
  commands: /** @type {[string, string][]} */ ([
    [
      'do cookies save time while peers come and go?',
      "ab rotation-rendezvous '' '--cookies true' --duration 1m --rotateEvery 2s"
    ]
  ])
}
