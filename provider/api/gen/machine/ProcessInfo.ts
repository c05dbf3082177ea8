// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface ProcessInfo {
  'pid'?: (number);
  'ppid'?: (number);
  'state'?: (string);
  'threads'?: (number);
  'cpuTime'?: (number | string);
  'virtualMemory'?: (number | string | Long);
  'residentMemory'?: (number | string | Long);
  'command'?: (string);
  'executable'?: (string);
  'args'?: (string);
  'label'?: (string);
}

export interface ProcessInfo__Output {
  'pid': (number);
  'ppid': (number);
  'state': (string);
  'threads': (number);
  'cpuTime': (number);
  'virtualMemory': (string);
  'residentMemory': (string);
  'command': (string);
  'executable': (string);
  'args': (string);
  'label': (string);
}
