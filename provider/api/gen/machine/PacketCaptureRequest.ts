// Original file: provider/api/proto/machine/machine.proto

import type { BPFInstruction as _machine_BPFInstruction, BPFInstruction__Output as _machine_BPFInstruction__Output } from '../machine/BPFInstruction';

export interface PacketCaptureRequest {
  'interface'?: (string);
  'promiscuous'?: (boolean);
  'snapLen'?: (number);
  'bpfFilter'?: (_machine_BPFInstruction)[];
}

export interface PacketCaptureRequest__Output {
  'interface': (string);
  'promiscuous': (boolean);
  'snapLen': (number);
  'bpfFilter': (_machine_BPFInstruction__Output)[];
}
