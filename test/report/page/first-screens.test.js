import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aProfileResult } from '../../scenarios/profile/view/a-profile-result.js'
import { aRotateGossipResult } from '../../scenarios/rotate-gossip/view/a-rotate-gossip-result.js'
import { aRotateRendezvousResult } from '../../scenarios/rotate-rendezvous/a-rotate-rendezvous-result.js'
import { askedIn } from '../plots/asked-in.js'
import { reportPage } from '../shown.js'

/** @param {string} page */
const tiles = page =>
  [...page.matchAll(/<div><dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/g)].map(([, name, value]) => [name, value])

/** How many values the script of a page draws a plot from. @param {string} page @param {string} id */
function pointsOf(page, id) {
  const [, figure = ''] = page.split(`<figure class="plot" id="${id}">`)
  const [, data] = /<script type="application\/json">([\s\S]*?)<\/script>/.exec(figure) ?? []
  return data === undefined ? 0 : JSON.parse(data).series[0].values.length
}

/** The figures of a page with marks that can be asked, how many rows they have and how many marks each picture. @param {string} page */
const askable = page =>
  [...page.matchAll(/<figure class="plot" id="([^"]*)">([\s\S]*?)<\/figure>/g)].flatMap(([, id, body]) => {
    const block = /class="marks">([\s\S]*?)<\/script>/.exec(body)
    if (block === null) return []
    const pictures = body.match(/<div class="(?:wide|narrow)">[\s\S]*?<\/div>/g) ?? []
    return [{ id, rows: JSON.parse(block[1]).rows.length, marks: pictures.map(askedIn) }]
  })

const noProfile = aProfileResult()
const { samples, categories } = /** @type {any} */ (noProfile.outcome.profile).hotSpots
const OF_HEAP = {
  ...noProfile,
  outcome: {
    ...noProfile.outcome,
    profile: null,
    allocations: /** @type {any} */ ({
      ...{ samples, bytes: 5e6, categories, packages: [], functions: [], files: [], workers: [0] },
      ...{
        intervalBytes: 32768,
        folded: { name: '', package: '', category: 'other', selfBytes: 0, totalBytes: 0, children: [] }
      }
    })
  }
}

for (const [what, result, names, plot] of /** @type {const} */ ([
  [
    'rotating nodes: what arrived, and how soon who came got something',
    aRotateGossipResult(),
    ['Delivered', 'p50 of a delivery', 'p50 from start to first delivery', 'Deliveries per minute'],
    'deliveries-per-minute'
  ],
  [
    'rotating peers: how much of what was given out was stale, and how soon who came was seen',
    aRotateRendezvousResult(),
    [
      'Stale records',
      'p50 from registered to seen',
      'p50 from start to first discovery',
      'p50 from kill to last given out'
    ],
    'stale-records'
  ],
  [
    'a profile: what the processes were busy with',
    aProfileResult(),
    ['Signature', 'Gc', 'Protobuf', 'Busy'],
    'hot-categories'
  ],
  [
    'a profile of allocations: what allocated',
    OF_HEAP,
    ['Signature', 'Gc', 'Protobuf', 'Allocated'],
    'hot-categories'
  ]
]))
  test(`the first screen of ${what}`, async () => {
    const page = await reportPage(/** @type {any} */ (result))
    const shown = tiles(page)
    assert.deepEqual(
      shown.map(([name]) => name),
      names
    )
    for (const [name, value] of shown) assert.match(value, /\d|too few/, name)
    const first = page.indexOf('<figure class="plot"')
    assert.ok(page.slice(first).startsWith(`<figure class="plot" id="${plot}">`))
    assert.equal(page.split(`id="${plot}"`).length, 2)
    const asked = askable(page)
    assert.ok(asked.some(({ id, rows }) => id === plot && rows > 1) || pointsOf(page, plot) > 1)
    for (const { id, rows, marks } of asked) assert.deepEqual(marks, [rows, rows], id)
  })
