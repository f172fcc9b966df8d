// Renews the page that golden.test.js holds against: `node test/report/page/golden.js`. Look at it before you commit it.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportPage } from '../../../src/report/page/index.js'
import { measuredResult } from '../measured-result.js'

/** GOLDEN is where the page is kept. */
export const GOLDEN = fileURLToPath(new URL('../../../fixtures/report/run.html', import.meta.url))

/** RENEW is how it is renewed. */
export const RENEW = 'node test/report/page/golden.js'

/** goldenPage is the page of a fixed result: an open model, two types, a stall of the server, two workers. */
export const goldenPage = () =>
  reportPage(
    measuredResult({
      options: { rate: '60/s', duration: '6s', benchmarkType: 'MIXED', threshold: 'errorRate < 1%' },
      types: ['REGISTER', 'DISCOVER'],
      perSecond: 30,
      stallAt: 2,
      workers: 2
    }),
    { folder: 'results/20261120-0712-rendezvous-7' }
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(dirname(GOLDEN), { recursive: true })
  await writeFile(GOLDEN, await goldenPage())
  console.log(GOLDEN)
}
