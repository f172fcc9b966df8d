import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { makeSelfSignedCertificate } from '../../src/scenarios/transfer/run/socket-protocols.js'

test('a server of a run can have a certificate that it signed itself', async () => {
  const { key, cert } = await makeSelfSignedCertificate({ now: () => Date.parse('2030-05-10T12:00:00Z') })
  createSecureContext({ key, cert })
  const certificate = new X509Certificate(cert)
  assert.ok(certificate.verify(certificate.publicKey))
  assert.equal(certificate.checkHost('localhost'), 'localhost')
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
  const [from, to] = [certificate.validFrom, certificate.validTo].map(text => new Date(text).toISOString())
  assert.deepEqual([from, to], ['2030-05-09T12:00:00.000Z', '2030-06-09T12:00:00.000Z'])
})
