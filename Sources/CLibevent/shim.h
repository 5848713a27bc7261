// SPDX-License-Identifier: Apache-2.0
#pragma once
// Before libevent: its headers use u_char and friends without including them.
#include <sys/types.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/util.h>
