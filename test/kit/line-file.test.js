import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { LineFile } from '../../src/kit/files.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder()

/** A disk without room. */
const FULL = '/dev/full'

const LINE_FILE = new URL('../../src/kit/files.js', import.meta.url).pathname

/** Lines that compress badly, to a file that may not become as large. */
const FILLING = `
process.on("SIGXFSZ", () => {})
import(process.argv[1]).then(({ LineFile }) => {
  const file = new LineFile(process.argv[2])
  for (let index = 0; index < 50000; index++) file.add(Math.random() + "," + index + "\\n")
  file.close()
  console.log(String(file.error))
})`

const canLimit = () => spawnSync('bash', ['-c', 'ulimit -f 400']).status === 0

/** @param {number} index */
const line = index => `{"line":${index},"what":"${'ü'.repeat(50)}"}\n`

describe('a file of lines', () => {
  it('holds every line in order, whole ones at any moment, and few of them back', async () => {
    const path = join(folder, 'many')
    const file = new LineFile(path)
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
    const file = new LineFile(path)
    file.close()
    file.add(line(1))
    file.flush()
    file.close()
    assert.equal(await readFile(path, 'utf8'), '')
  })

  it('that cannot be made has an error, and takes lines all the same', () => {
    const file = new LineFile(join(folder, 'no such folder', 'file'))
    file.add(line(1))
    file.close()
    assert.match(String(file.error), /ENOENT/)
  })

  it('that cannot be written has an error, and keeps nothing in memory', { skip: !existsSync(FULL) }, () => {
    const file = new LineFile(FULL)
    for (let index = 0; index < 5000; index++) file.add(line(index))
    file.close()
    assert.match(String(file.error), /ENOSPC/)
  })

  it('ending in .gz is gzip, whole at any moment, whatever it holds', async () => {
    for (const lines of [0, 1, 20_000]) {
      const path = join(folder, `lines-${lines}.gz`)
      const file = new LineFile(path)
      const all = Array.from({ length: lines }, (_, index) => line(index))
      for (const each of all) file.add(each)
      file.flush()
      if (lines > 0) assert.equal(gunzipSync(await readFile(path)).toString(), all.join(''))
      file.close()
      assert.equal(gunzipSync(await readFile(path)).toString(), all.join(''))
      assert.equal(file.error, null)
    }
  })

  it('holds whole lines where the disk fills up, and ends as gzip does', { skip: !canLimit() }, async () => {
    for (const name of ['full.csv', 'full.csv.gz']) {
      const path = join(folder, name)
      const { stdout } = spawnSync(
        'bash',
        ['-c', `ulimit -f 400; exec "${process.execPath}" -e '${FILLING}' "${LINE_FILE}" "${path}"`],
        { encoding: 'utf8' }
      )
      assert.match(stdout, /EFBIG/)
      const bytes = await readFile(path)
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
      assert.ok(
        text.length > 50_000 && text.endsWith('\n'),
        `${text.length} characters, ${JSON.stringify(text.slice(-5))}`
      )
    }
  })
})
