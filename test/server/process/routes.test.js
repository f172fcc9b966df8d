import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceMonitor } from '../../../src/server/resource-monitor.js'

test('what a server costs is seen since it was asked last', t => {
  const watch = new ResourceMonitor()
  t.after(() => watch.stop())
  const until = process.cpuUsage().user + 60_000
  while (process.cpuUsage().user < until);
  const { longestTurnMs, rssBytes, cpuMs } = watch.takeUsage()
  assert.ok(longestTurnMs > 20, `${longestTurnMs} ms`)
  assert.ok(rssBytes > 10e6 && cpuMs > 60)
  const again = watch.takeUsage()
  assert.ok(again.longestTurnMs < longestTurnMs, `${again.longestTurnMs} ms`)
  assert.ok(again.rssBytes > 10e6 && again.cpuMs >= cpuMs)
})
