// Renews the pages that golden.test.js holds against: `node test/report/page/golden.js`. Look at them before you commit them.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { aGossipResult } from '../../scenarios/gossip/view/a-gossip-result.js'
import { measuredResult } from '../measured-result.js'
import { reportPage } from '../shown.js'
import { partsOf } from './parts-of-page.js'

/** RENEW is how they are renewed. */
export const RENEW = 'node test/report/page/golden.js'

/** goldenPage is the page of a fixed result: an open model, two types, a stall of the server, two workers. */
export const goldenPage = () =>
  reportPage(
    measuredResult({
      options: {
        rate: '120/s',
        duration: '6s',
        benchmarkType: 'MIXED',
        mix: 'register=1,discover=1,unregister=0',
        threshold: 'errorRate < 1%'
      },
      types: ['REGISTER', 'DISCOVER'],
      perSecond: 30,
      stallAt: 2,
      workers: 2
    }),
    { folder: 'results/20261120-0712-rendezvous-7' }
  )

/** goldenGossipPage is that of a gossip run: two topics, slow in the middle, two nodes that go, skipped messages. */
export const goldenGossipPage = () =>
  reportPage(
    aGossipResult({
      options: { topics: 'blocks=1,votes=0.6' },
      gone: [3, 11],
      stall: true,
      skipped: 2,
      warnings: [{ code: 'MESSAGES_SKIPPED', values: { count: 2 } }]
    }),
    { folder: 'results/20261120-0712-gossip-7' }
  )

/** Scripts stand in src and in packages: pages are held against one another without them. @param {string} page */
const withoutScripts = page =>
  partsOf(page)
    .read.replace(/ 'sha256-[^']*'/g, ' …')
    .replace(/<style>\.uplot[^\n]*\n/, '<style>')

/** GOLDEN are the pages, by where they are kept. @type {ReadonlyMap<string, () => Promise<string>>} */
export const GOLDEN = new Map(
  Object.entries({ run: goldenPage, gossip: goldenGossipPage }).map(([name, page]) => [
    fileURLToPath(new URL(`../../../fixtures/report/${name}.html`, import.meta.url)),
    async () => withoutScripts(await page())
  ])
)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, page] of GOLDEN) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await page())
    console.log(file)
  }
}
