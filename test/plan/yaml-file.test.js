import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readYamlFile } from '../../src/kit/files.js'
import { readConfig } from '../../src/plan/plan.js'

const BOMB = [...'bcdefghi'].reduce(
  ({ text, above }, name) => ({
    text: `${text}${name}: &${name} [${Array(9).fill(`*${above}`)}]\n`,
    above: name
  }),
  { text: 'a: &a [1]\n', above: 'a' }
).text

describe('a file of YAML or JSON', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yaml-file-'))
  })
  after(() => rm(folder, { recursive: true }))

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
    [
      'an alias of what it is part of',
      'a.yaml',
      'a: &a [*a]\n',
      /^is not valid YAML or JSON: an alias stands for/
    ],
    [
      'a mapping of itself',
      'a.yaml',
      '&a\nb: { c: *a }\n',
      /^is not valid YAML or JSON: an alias stands for/
    ],
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
        /^must hold options by name/
      )
  })
})
