// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface SoftIRQStat {
  'hi'?: (number | string | Long);
  'timer'?: (number | string | Long);
  'netTx'?: (number | string | Long);
  'netRx'?: (number | string | Long);
  'block'?: (number | string | Long);
  'blockIoPoll'?: (number | string | Long);
  'tasklet'?: (number | string | Long);
  'sched'?: (number | string | Long);
  'hrtimer'?: (number | string | Long);
  'rcu'?: (number | string | Long);
}

export interface SoftIRQStat__Output {
  'hi': (string);
  'timer': (string);
  'netTx': (string);
  'netRx': (string);
  'block': (string);
  'blockIoPoll': (string);
  'tasklet': (string);
  'sched': (string);
  'hrtimer': (string);
  'rcu': (string);
}
