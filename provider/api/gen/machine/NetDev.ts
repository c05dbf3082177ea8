// Original file: provider/api/proto/machine/machine.proto

import type { Long } from '@grpc/proto-loader';

export interface NetDev {
  'name'?: (string);
  'rxBytes'?: (number | string | Long);
  'rxPackets'?: (number | string | Long);
  'rxErrors'?: (number | string | Long);
  'rxDropped'?: (number | string | Long);
  'rxFifo'?: (number | string | Long);
  'rxFrame'?: (number | string | Long);
  'rxCompressed'?: (number | string | Long);
  'rxMulticast'?: (number | string | Long);
  'txBytes'?: (number | string | Long);
  'txPackets'?: (number | string | Long);
  'txErrors'?: (number | string | Long);
  'txDropped'?: (number | string | Long);
  'txFifo'?: (number | string | Long);
  'txCollisions'?: (number | string | Long);
  'txCarrier'?: (number | string | Long);
  'txCompressed'?: (number | string | Long);
}

export interface NetDev__Output {
  'name': (string);
  'rxBytes': (string);
  'rxPackets': (string);
  'rxErrors': (string);
  'rxDropped': (string);
  'rxFifo': (string);
  'rxFrame': (string);
  'rxCompressed': (string);
  'rxMulticast': (string);
  'txBytes': (string);
  'txPackets': (string);
  'txErrors': (string);
  'txDropped': (string);
  'txFifo': (string);
  'txCollisions': (string);
  'txCarrier': (string);
  'txCompressed': (string);
}
