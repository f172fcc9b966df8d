/** HOST_CALLS are those of NodeHost that another process makes. */
export const HOST_CALLS = [
  ...['provision', 'connect', 'register', 'meet', 'awaitMesh', 'schedule', 'drain', 'snapshot'],
  ...['collect', 'abort', 'churn', 'admit', 'settings', 'refresh', 'endRefreshing']
]
