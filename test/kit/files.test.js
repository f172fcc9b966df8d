import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { decodeText, describeReadError, readTextSync, readYamlFile } from '../../src/kit/files.js'
import { readConfig } from '../../src/plan/plan.js'
import { temporaryFolder } from '../temporary-folder.js'

test('a byte order mark is read over, and UTF-8 is read as it is', () => {
  assert.equal(decodeText(Buffer.from('\uFEFFnodes: 3\n')), 'nodes: 3\n')
  assert.equal(decodeText(Buffer.from('caf\u00E9')), 'caf\u00E9')
  assert.equal(decodeText(Buffer.from('')), '')
})

test('gzip is decompressed', () => assert.equal(decodeText(gzipSync('\uFEFF0 1\n')), '0 1\n'))

/** @type {[what: string, bytes: Buffer, said: string][]} */
const REFUSED = [
  ['Latin-1', Buffer.from('a\nb\ncaf\u00E9 x\n', 'latin1'), 'is not UTF-8: line 3 has other bytes'],
  ['a cut character', Buffer.from('a\ncaf\u00E9').subarray(0, 6), 'is not UTF-8: line 2 has other bytes'],
  ['UTF-16', Buffer.from('\uFEFF0 1', 'utf16le'), 'is UTF-16: must be UTF-8'],
  ['UTF-16 without a mark', Buffer.from('0 1\n', 'utf16le'), 'is no text: line 1 has a zero byte'],
  ['gzip in gzip', gzipSync(gzipSync('0 1\n')), 'is gzip: decompress it first'],
  ['gzip that is cut off', gzipSync('0 1\n').subarray(0, 20), 'is damaged gzip (unexpected end of file)'],
  [
    'gzip of more than memory should hold',
    gzipSync(Buffer.alloc(256e6 + 1)),
    'has more than 256 MB when it is decompressed'
  ],
  ['bzip2', Buffer.from('BZh91AY'), 'is bzip2: decompress it first']
]
for (const [what, bytes, message] of REFUSED)
  test(`${what} is refused by its name, or with its line`, () => {
    assert.throws(() => decodeText(bytes), { name: 'TextFileError', message })
  })

test('a file that an option names is refused with why it cannot be read', () => {
  const problemOf = (/** @type {() => void} */ reading) => {
    try {
      return void reading()
    } catch (error) {
      return describeReadError(error)
    }
  }
  assert.equal(
    problemOf(() => readTextSync('/none')),
    'names a file that cannot be read (ENOENT)'
  )
  assert.equal(
    problemOf(() => decodeText(Buffer.from('BZh91AY'))),
    'names a file that is bzip2: decompress it first'
  )
})

const BOMB = [...'bcdefghi'].reduce(
  ({ text, above }, name) => ({
    text: `${text}${name}: &${name} [${Array(9).fill(`*${above}`)}]\n`,
    above: name
  }),
  { text: 'a: &a [1]\n', above: 'a' }
).text

describe('a file of YAML or JSON', () => {
  const folder = temporaryFolder()

  /** @param {string} name @param {string | Buffer} content */
  async function file(name, content) {
    const path = join(folder, name)
    await writeFile(path, content)
    return path
  }

  it('is read without its byte order mark', async () => {
    for (const [name, text] of [
      ['a.yaml', '\uFEFFnClients: 3\n'],
      ['a.json', '\uFEFF{"nClients": 3}']
    ])
      assert.deepEqual(await readYamlFile(await file(name, text)), { content: { nClients: 3 } })
  })

  /** @type {[what: string, name: string, content: string | Buffer, problem: RegExp][]} */
  const refused = [
    ['empty', 'a.yaml', '', /^is empty$/],
    ['white', 'a.json', ' \n', /^is empty$/],
    ['no JSON', 'a.json', '{', /^is not valid YAML or JSON: .+$/],
    ['no YAML', 'a.yaml', '{ a: ', /^is not valid YAML or JSON: .+$/],
    ['an alias of its parent', 'a.yaml', 'a: &a [*a]\n', /^is not valid YAML or JSON: an alias refers to/],
    ['a map of itself', 'a.yaml', '&a\nb: { c: *a }\n', /^is not valid YAML or JSON: an alias refers to/],
    ['many aliases of aliases', 'a.yaml', BOMB, /^is not valid YAML or JSON: too many aliases$/],
    [
      'not UTF-8',
      'a.yaml',
      Buffer.from('a: 1\n# \u00E9\n', 'latin1'),
      /^is not UTF-8: line 2 has other bytes$/
    ]
  ]
  for (const [what, name, content, problem] of refused)
    it(`that is ${what} is refused in a line`, async () => {
      const read = await readYamlFile(await file(name, content))
      assert.match(String(read.problem), problem)
    })

  it('without options is no configuration: what wrote it may have failed', async () => {
    for (const text of ['# nothing\n', 'null'])
      assert.match(
        String((await readConfig(await file('load.yaml', text))).problem?.allowed),
        /^must be options by name/
      )
  })
})
