import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readTextSync } from '../../src/kit/files.js'
import { parseTopologyFile } from '../../src/network/topology-file.js'

/**
 * @typedef {Record<string, string | number>} Data
 * @typedef {object} Row - a file, and the graph that is in it, as NetworkX has it
 * @property {string} name
 * @property {string | null} refused - the name of its format; null: it is read
 * @property {boolean} directed
 * @property {[name: string, data: Data][]} nodes
 * @property {[from: string, to: string, data: Data][]} edges
 */

const WITHOUT = 'NetworkX 3 for Python is missing: python3 -m pip install networkx==3.6.1'
const folder = mkdtempSync(join(tmpdir(), 'networkx-'))
after(() => rmSync(folder, { recursive: true }))
const program = new URL('write-networkx.py', import.meta.url).pathname
const { status, stdout, stderr } = spawnSync('python3', [program, folder], { encoding: 'utf8' })
const isMissing =
  status === null || /No module named 'networkx'|unexpected keyword argument 'edges'/.test(stderr)
const skip = isMissing && !process.env.CI && WITHOUT
if (skip && process.env.SKIPPED_LOG)
  appendFileSync(process.env.SKIPPED_LOG, `topology files of NetworkX: ${skip}\n`)

/** @param {unknown} text @returns {number} */
const megabits = text => (Number.parseFloat(String(text)) * (/Gbit/.test(String(text)) ? 1e9 : 1e6)) / 8

/** @param {Data} data - of an edge */
const linkData = ({ latency, packet_loss, bandwidth }) => ({
  ...(latency !== undefined && { latencyMs: Number.parseFloat(String(latency)) }),
  ...(bandwidth !== undefined && { bytesPerSecond: megabits(bandwidth) }),
  ...(packet_loss !== undefined && { lossShare: Number(packet_loss) })
})

/** What is said of each direction of each link, the first edge of several counting. @param {Row} row @returns {Record<string, object>} */
function waysOf({ edges, directed }) {
  /** @type {Record<string, object>} */
  const ways = {}
  for (const [from, to, data] of edges) {
    if (from === to || `${from} > ${to}` in ways || (!directed && `${to} > ${from}` in ways)) continue
    ways[`${from} > ${to}`] = linkData(data)
  }
  for (const [way, data] of Object.entries(ways)) ways[way.split(' > ').reverse().join(' > ')] ??= data
  return ways
}

describe('a topology file that NetworkX wrote', { skip }, () => {
  const rows = /** @type {Row[]} */ (status === 0 ? JSON.parse(stdout).rows : [])

  it('is there in each format and shape', () => assert.equal(rows.length, 37, stderr))

  for (const row of rows)
    it(row.refused === null ? `${row.name} is what NetworkX has` : `${row.name} is refused by name`, () => {
      const read = () => parseTopologyFile(readTextSync(join(folder, row.name)), row.name)
      if (row.refused !== null) return assert.throws(read, new RegExp(row.refused))
      const { names, edges, links = [], hosts = [] } = read()
      const isListed = !/^(edges|weighted|directed\.txt)/.test(row.name)
      const expected = isListed
        ? row.nodes.map(([name]) => name)
        : [...new Set(row.edges.flatMap(([a, b]) => [String(a), b]))]
      assert.deepEqual(names.toSorted(), expected.toSorted())
      const ways = waysOf(row)
      const found = Object.fromEntries(
        edges.flatMap(([a, b]) => [
          [`${names[a]} > ${names[b]}`, {}],
          [`${names[b]} > ${names[a]}`, {}]
        ])
      )
      for (const { from, to, ...data } of links) found[`${names[from]} > ${names[to]}`] = data
      assert.deepEqual(found, ways)
      for (const [name, { host_bandwidth_up: up, host_bandwidth_down: down }] of row.nodes) {
        const host = hosts[names.indexOf(name)] ?? {}
        const { upBytesPerSecond, downBytesPerSecond } = host
        if (up === undefined) assert.deepEqual(host, {})
        else assert.deepEqual([upBytesPerSecond, downBytesPerSecond], [megabits(up), megabits(down)])
      }
    })
})
