// SPDX-License-Identifier: Apache-2.0

// Limits how many tests run at once; see width.c. There is nothing to call.
