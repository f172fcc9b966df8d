import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QUICK } from './loadtest.js'

/** LONG is of runs that go on until somebody is lost. */
export const LONG = [
  ...QUICK,
  ...['--nClients', '2', '--rate', '20/s', '--duration', '8s', '--skipLookUp', '--server', 'process']
]

/** resultOf is that of a run of a study. @param {string} folder @param {string} run @returns {Promise<import('../../src/report/schema.js').Result>} */
export const resultOf = async (folder, run) =>
  JSON.parse(await readFile(join(folder, run, 'result.json'), 'utf8'))

/** theirAgents are those that held the workers of a run. @param {import('../../src/report/schema.js').Result} result */
export const theirAgents = ({ run }) => (run.agents ?? []).map(({ id }) => id).sort()
