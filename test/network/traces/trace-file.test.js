import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { TraceFile } from '../../../src/network/traces/node-traces.js'

const folder = await mkdtemp(join(tmpdir(), 'loadtest-traces-'))
after(() => rm(folder, { recursive: true }))

/** A disk without room. */
const FULL = '/dev/full'

/** @param {number} index */
const line = index => `{"line":${index},"what":"${'ü'.repeat(50)}"}\n`

describe('the file of a trace', () => {
  it('holds every line in order, whole ones at any moment, and few of them back', async () => {
    const path = join(folder, 'many')
    const file = new TraceFile(path)
    let text = ''
    for (let index = 0; index < 5000; index++) {
      file.add(line(index))
      text += line(index)
    }
    const before = await readFile(path, 'utf8')
    assert.ok(text.startsWith(before) && before.endsWith('\n'))
    assert.ok(text.length - before.length < 40_000, `${text.length - before.length} characters in memory`)
    file.flush()
    assert.equal(await readFile(path, 'utf8'), text)
    file.add(line(5000))
    file.close()
    assert.equal(await readFile(path, 'utf8'), text + line(5000))
    assert.equal(file.error, null)
  })

  it('takes nothing after it was closed, and is closed once', async () => {
    const path = join(folder, 'closed')
    const file = new TraceFile(path)
    file.close()
    file.add(line(1))
    file.flush()
    file.close()
    assert.equal(await readFile(path, 'utf8'), '')
  })

  it('that cannot be made has an error, and takes lines all the same', () => {
    const file = new TraceFile(join(folder, 'no such folder', 'file'))
    file.add(line(1))
    file.close()
    assert.match(String(file.error), /ENOENT/)
  })

  it('that cannot be written has an error, and keeps nothing in memory', { skip: !existsSync(FULL) }, () => {
    const file = new TraceFile(FULL)
    for (let index = 0; index < 5000; index++) file.add(line(index))
    file.close()
    assert.match(String(file.error), /ENOSPC/)
  })
})
