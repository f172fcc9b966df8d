import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Status } from '../../../src/protocol/rendezvous.js'
import { createMetrics } from '../../../src/server/process/metrics.js'

const STATE = { registrations: 3, namespaces: 2, connections: 1, streams: 4 }

test('what was served before the first scrape is on its page', async () => {
  const metrics = createMetrics(async () => STATE)
  for (const ms of [0.05, 0.06, 3, 6000]) metrics.onOperation('REGISTER', Status.OK, ms)
  metrics.onOperation('DISCOVER', Status.E_INVALID_NAMESPACE, 1)
  metrics.onRefused(new RangeError('too much'))
  metrics.onLate()
  const { body, type } = await metrics.page()
  assert.match(String(type), /^text\/plain; version=0\.0\.4/)
  const lines = String(body).split('\n')
  for (const line of [
    '# TYPE rendezvous_operation_duration_seconds histogram',
    'rendezvous_operation_duration_seconds_bucket{le="0.00005",type="REGISTER"} 1',
    'rendezvous_operation_duration_seconds_bucket{le="0.0001",type="REGISTER"} 2',
    'rendezvous_operation_duration_seconds_bucket{le="0.005",type="REGISTER"} 3',
    'rendezvous_operation_duration_seconds_bucket{le="5",type="REGISTER"} 3',
    'rendezvous_operation_duration_seconds_bucket{le="+Inf",type="REGISTER"} 4',
    'rendezvous_operation_duration_seconds_count{type="REGISTER"} 4',
    'rendezvous_operations_total{type="REGISTER",status="OK"} 4',
    'rendezvous_operations_total{type="DISCOVER",status="E_INVALID_NAMESPACE"} 1',
    'rendezvous_streams_refused_total{reason="RangeError"} 1',
    'rendezvous_requests_late_total 1',
    'rendezvous_registrations 3',
    'rendezvous_streams 4'
  ])
    assert.ok(lines.includes(line), `${line}\n${body}`)
  const sum = lines.find(line =>
    line.startsWith('rendezvous_operation_duration_seconds_sum{type="REGISTER"}')
  )
  assert.ok(Math.abs(Number(sum?.split(' ')[1]) - 6.00311) < 1e-9, sum)
})

test('pages show the counts of their time', async () => {
  const metrics = createMetrics(async () => STATE)
  assert.match(String((await metrics.page()).body), /^rendezvous_requests_late_total 0$/m)
  metrics.onLate()
  metrics.onLate()
  assert.match(String((await metrics.page()).body), /^rendezvous_requests_late_total 2$/m)
})
