// Original file: provider/api/proto/common/common.proto

export const ContainerdNamespace = {
  NS_UNKNOWN: 'NS_UNKNOWN',
  NS_SYSTEM: 'NS_SYSTEM',
  NS_CRI: 'NS_CRI',
  NS_TALOSCONTAINERS: 'NS_TALOSCONTAINERS',
} as const;

export type ContainerdNamespace =
  | 'NS_UNKNOWN'
  | 0
  | 'NS_SYSTEM'
  | 1
  | 'NS_CRI'
  | 2
  | 'NS_TALOSCONTAINERS'
  | 3

export type ContainerdNamespace__Output = typeof ContainerdNamespace[keyof typeof ContainerdNamespace]
