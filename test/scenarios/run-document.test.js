import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RunDocument } from '../../src/scenarios/run-document.js'
import { RunLog } from '../../src/scenarios/run-log.js'
import { planned } from '../plan/planned.js'

const document = () => new RunDocument(planned({}), 'a-run', new RunLog(() => {}))

/** @param {string} code */
const trouble = code => Object.assign(new Error(`${code} happened`), { code })

describe('the document of a run', () => {
  test('is partial until everything was measured', () => {
    const run = document()
    assert.equal(run.result().status, 'partial')
    run.header.completed()
    assert.equal(run.result().status, 'complete')
    assert.equal(run.result().reason, null)
  })

  test('tells the first thing that went wrong, not what followed from it', () => {
    const run = document()
    run.header.failed(trouble('SERVER_DIED'))
    run.header.failed(trouble('CONTAINER_NOT_REMOVED'))
    assert.deepEqual(run.result().reason, { code: 'SERVER_DIED', message: 'SERVER_DIED happened' })
  })

  test('is partial again when clearing up fails', () => {
    const run = document()
    run.header.completed()
    run.header.failed(trouble('CONTAINER_NOT_REMOVED'))
    assert.equal(run.result().status, 'partial')
    assert.equal(run.result().reason?.code, 'CONTAINER_NOT_REMOVED')
  })
})
