import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { decodeText, readTextSync, unreadable } from '../../src/kit/files.js'

test('a byte order mark is read over, and UTF-8 is read as it is', () => {
  assert.equal(decodeText(Buffer.from('\uFEFFnodes: 3\n')), 'nodes: 3\n')
  assert.equal(decodeText(Buffer.from('caf\u00E9')), 'caf\u00E9')
  assert.equal(decodeText(Buffer.from('')), '')
})

test('gzip is decompressed', () => assert.equal(decodeText(gzipSync('\uFEFF0 1\n')), '0 1\n'))

/** @type {[what: string, bytes: Buffer, said: string][]} */
const REFUSED = [
  ['Latin-1', Buffer.from('a\nb\ncaf\u00E9 x\n', 'latin1'), 'is not UTF-8: line 3 has other bytes'],
  [
    'a character that is cut off',
    Buffer.from('a\ncaf\u00E9').subarray(0, 6),
    'is not UTF-8: line 2 has other bytes'
  ],
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
      return unreadable(error)
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
