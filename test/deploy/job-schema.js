import { z } from 'zod'

/** Names of objects, see Kubernetes, "Object Names and IDs". */
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
/** An identifier, or one with the DNS domain of who gives it. */
const labels = z.record(
  z.string().regex(/^([a-z0-9.-]+\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/),
  z.string().regex(/^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/)
)
const quantity = z.string().regex(/^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/)
const whole = z.int().min(0)

const container = z.strictObject({
  name,
  image: z.string().min(1),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
  args: z.array(z.string()),
  env: z.array(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z_]\w*$/),
      valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name, key: z.string().min(1) }) })
    })
  ),
  resources: z.strictObject({ requests: z.strictObject({ cpu: quantity, memory: quantity }) }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) })
  })
})

const podAntiAffinity = z.strictObject({
  requiredDuringSchedulingIgnoredDuringExecution: z.array(
    z.strictObject({
      topologyKey: z.string().min(1),
      labelSelector: z.strictObject({ matchLabels: labels })
    })
  )
})

const pod = z.strictObject({
  // the only ones that a Job may have
  restartPolicy: z.enum(['Never', 'OnFailure']),
  terminationGracePeriodSeconds: whole,
  hostNetwork: z.boolean(),
  dnsPolicy: z.enum(['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
  affinity: z.strictObject({ podAntiAffinity }),
  securityContext: z.strictObject({
    runAsNonRoot: z.boolean(),
    runAsUser: whole,
    runAsGroup: whole,
    seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Localhost', 'Unconfined']) })
  }),
  containers: z.array(container).min(1)
})

/**
 * jobSchema is what Kubernetes takes as a Job of batch/v1, as far as our manifest uses it: a cluster leaves out a field that it does not
 * know, so one that is misspelled is found by nobody else.
 */
export const jobSchema = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata: z.strictObject({ name, labels }),
  spec: z.strictObject({
    parallelism: whole,
    completions: whole,
    backoffLimit: whole,
    activeDeadlineSeconds: whole,
    ttlSecondsAfterFinished: whole,
    template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod })
  })
})
