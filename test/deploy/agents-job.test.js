import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { AGENT as help } from '../../src/cli/commands/agents.js'
import { TOOL_DOCKERFILE } from '../../src/target/images.js'
import { jobSchema } from './job-schema.js'

const text = readFileSync('deploy/agents-job.yaml', 'utf8')
const job = () => jobSchema.parse(parse(text))

test('the Job of agents has fields of batch/v1 alone, with values that it takes', () => {
  assert.equal(job().metadata.name, 'loadtest-agents')
})

for (const [what, from, to] of /** @type {const} */ ([
  ['a field that is misspelled', 'backoffLimit', 'backOffLimit'],
  ['a field in a wrong place', '          imagePullPolicy: Never\n', '          restartPolicy: Never\n'],
  ['a number that is a text', 'parallelism: 3', "parallelism: '3'"],
  ['a policy that no Job may have', 'restartPolicy: Never', 'restartPolicy: Always']
]))
  test(`its schema refuses ${what}`, () => {
    assert.ok(text.includes(from))
    assert.equal(jobSchema.safeParse(parse(text.replace(from, to))).success, false)
  })

test('its agents are each on a node of its own, as many as there are to be, and are not started again', () => {
  const { parallelism, completions, backoffLimit, template } = job().spec
  assert.deepEqual([completions, backoffLimit], [parallelism, 0])
  const [{ labelSelector, topologyKey }] =
    template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution
  assert.deepEqual(labelSelector.matchLabels, template.metadata.labels)
  assert.equal(topologyKey, 'kubernetes.io/hostname')
})

test('its container runs a command that there is, as the user of the image', () => {
  const { containers, securityContext } = job().spec.template.spec
  const [{ args, env }] = containers
  assert.equal(args[0], 'agent')
  for (const flag of args.filter(arg => arg.startsWith('--')))
    assert.ok(Object.hasOwn(help.options ?? {}, flag.slice(2)), flag)
  const named = args.map(arg => /^\$\((\w+)\)$/.exec(arg)?.[1]).filter(found => found !== undefined)
  assert.deepEqual(
    named,
    env.map(({ name }) => name)
  )
  const [, user] = /^USER (\d+):\d+$/m.exec(readFileSync(TOOL_DOCKERFILE, 'utf8')) ?? []
  assert.equal(securityContext.runAsUser, Number(user))
})
